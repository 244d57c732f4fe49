import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json; it is further up from what was compiled than from the source. */
export const PACKAGE_FOLDER = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder));
}
