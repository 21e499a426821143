/** All external providers in the order of preference: the user's own, those with a key, the open ones. */
export const providerNames = [
  'gleaner',
  'searxng',
  'mediawiki',
  'brave',
  'kagi',
  'serper',
  'exa',
  'mojeek',
  'tavily',
  'wikipedia',
  'stackexchange',
  'hackernews',
  'marginalia',
  'mwmbl',
] as const;

export type ProviderName = (typeof providerNames)[number];

export interface ProviderFacts {
  readonly title: string;
  /** What it requires. */
  readonly needs: 'nothing' | 'key' | 'url';
  readonly keySetting?: KeySetting;
  readonly urlSetting?: UrlSetting;
  /** Whether it is on without configuration: its terms allow use without a key. */
  readonly byDefault: boolean;
  /** What users should know about its terms. */
  readonly terms: string;
}

export type KeySetting = `GLEANER_${
  | 'BRAVE'
  | 'EXA'
  | 'KAGI'
  | 'MARGINALIA'
  | 'MOJEEK'
  | 'MWMBL'
  | 'PEER'
  | 'SERPER'
  | 'STACKEXCHANGE'
  | 'TAVILY'}_KEY`;
export type UrlSetting = `GLEANER_${'MEDIAWIKI' | 'PEER' | 'SEARXNG'}_URL`;

/** Requirements and terms of each provider; each provider's file names the sources. Imports nothing, for the settings. */
export const providerFacts: Readonly<Record<ProviderName, ProviderFacts>> = {
  gleaner: {
    title: 'Gleaner',
    needs: 'url',
    urlSetting: 'GLEANER_PEER_URL',
    keySetting: 'GLEANER_PEER_KEY',
    byDefault: false,
    terms: 'Another instance, such as that of your team.',
  },
  searxng: {
    title: 'SearXNG',
    needs: 'url',
    urlSetting: 'GLEANER_SEARXNG_URL',
    byDefault: false,
    terms: 'An instance of your own; the engines behind it have terms of their own.',
  },
  mediawiki: {
    title: 'MediaWiki',
    needs: 'url',
    urlSetting: 'GLEANER_MEDIAWIKI_URL',
    byDefault: false,
    terms: 'A wiki of your choice.',
  },
  brave: {
    title: 'Brave Search',
    needs: 'key',
    keySetting: 'GLEANER_BRAVE_KEY',
    byDefault: false,
    terms: 'Paid by use, with free credit each month.',
  },
  kagi: {
    title: 'Kagi',
    needs: 'key',
    keySetting: 'GLEANER_KAGI_KEY',
    byDefault: false,
    terms: 'Paid by use.',
  },
  serper: {
    title: 'Serper',
    needs: 'key',
    keySetting: 'GLEANER_SERPER_KEY',
    byDefault: false,
    terms: 'Paid by use; resells results of Google.',
  },
  exa: {
    title: 'Exa',
    needs: 'key',
    keySetting: 'GLEANER_EXA_KEY',
    byDefault: false,
    terms: 'Paid by use.',
  },
  mojeek: {
    title: 'Mojeek',
    needs: 'key',
    keySetting: 'GLEANER_MOJEEK_KEY',
    byDefault: false,
    terms: 'Paid by plan.',
  },
  tavily: {
    title: 'Tavily',
    needs: 'nothing',
    keySetting: 'GLEANER_TAVILY_KEY',
    byDefault: true,
    terms: 'Without a key in its keyless mode, for light use; a key raises the limits.',
  },
  wikipedia: {
    title: 'Wikipedia',
    needs: 'nothing',
    byDefault: true,
    terms: 'Wants a User-Agent with a contact (GLEANER_CONTACT). Texts are under CC BY-SA.',
  },
  stackexchange: {
    title: 'Stack Exchange',
    needs: 'nothing',
    keySetting: 'GLEANER_STACKEXCHANGE_KEY',
    byDefault: true,
    terms: '300 searches a day for an address, 10,000 with a free key. Texts are under CC BY-SA.',
  },
  hackernews: {
    title: 'Hacker News',
    needs: 'nothing',
    byDefault: true,
    terms: 'Open.',
  },
  marginalia: {
    title: 'Marginalia',
    needs: 'nothing',
    keySetting: 'GLEANER_MARGINALIA_KEY',
    byDefault: false,
    terms: 'Results are under CC BY-NC-SA 4.0. The key that all share is often used up.',
  },
  mwmbl: {
    title: 'Mwmbl',
    needs: 'nothing',
    keySetting: 'GLEANER_MWMBL_KEY',
    byDefault: true,
    terms: 'Open; a key raises the limits.',
  },
};
