/** What the metrics of a service without a page are made of. */
export const emptyServiceState = {
  pages: 0,
  searchablePages: 0,
  damagedPages: 0,
  isStoreWritable: true,
  livePages: 0,
  segments: 0,
  unpackedChanges: 0,
  indexBytes: 0,
  pageChanges: 0,
  frontierUrls: 0,
  providers: {},
};
