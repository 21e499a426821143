import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the files below a folder, in the order of names; hidden folders and symbolic links are left out, as import does. */
export function filesBelow(folder: string, before = ''): string[] {
  return readdirSync(join(folder, before))
    .sort()
    .flatMap((name) => {
      const path = before + name;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) return name.startsWith('.') ? [] : filesBelow(folder, `${path}/`);
      return stat.isFile() ? [path] : [];
    });
}
