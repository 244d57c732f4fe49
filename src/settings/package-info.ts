import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json; its distance differs between the compiled files and the source. */
export const PACKAGE_FOLDER = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder));
}

const description = readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8');
export const { version: VERSION } = JSON.parse(description) as { version: string };
