import { type HostPart, isOfPart } from '../store/host/host-part.ts';
import type { PageWriter } from '../store/page-writer.ts';

/** A writer that stores the pages of the hosts of this machine alone, and hands the others over. */
export function createPartWriter(
  writer: PageWriter,
  part: HostPart | undefined,
  give: (urls: readonly string[]) => unknown,
): PageWriter {
  if (!part) return writer;
  return {
    ...writer,
    put: async (page) => {
      if (isOfPart(page.url, part)) return writer.put(page);
      give([page.url]);
      return false;
    },
  };
}

/** Gives URLs of the hosts of this machine to `own`, and the others to `others`. */
export function dividedUrls(
  part: HostPart,
  own: (urls: readonly string[]) => void,
  others: (urls: readonly string[]) => void,
): (urls: readonly string[]) => void {
  return (urls) => {
    own(urls.filter((url) => isOfPart(url, part)));
    others(urls.filter((url) => !isOfPart(url, part)));
  };
}
