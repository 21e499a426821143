import { existsSync } from 'node:fs';
import { assembleCorpus } from './engines/assemble.ts';
import { corpusFile } from './engines/corpus-files.ts';
import { extractPackages } from './engines/debian-pages.ts';

/**
 * Makes the corpus and the queries of the bench `engines`: once, since they stay in bench/.cache. Needs apt-get and
 * dpkg-deb with Debian 12's package lists, about 400 MB of downloads and 3 GB of disk.
 */
export async function main(): Promise<void> {
  if (existsSync(corpusFile()))
    console.log('the corpus is there: remove bench/.cache/corpus to make it again');
  else await assembleCorpus(await extractPackages());
}
