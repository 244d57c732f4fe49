// This file is JavaScript, because jest does not transpile globalSetup as an ES module.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import globalSetup from './global-setup.js';

const ROOT = join(import.meta.dirname, '../..');

/** Also builds the administration site and Swagger UI's pages, unless they are newer than every source. */
export default async function browserSetup() {
  const files = readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true });
  const changedAt = Math.max(...files.map((file) => statSync(join(ROOT, 'src', file)).mtimeMs));
  const page = statSync(join(ROOT, 'dist/admin-ui/index.html'), { throwIfNoEntry: false });
  if (!page || page.mtimeMs < changedAt) await import('../../scripts/build.js');
  await globalSetup();
}
