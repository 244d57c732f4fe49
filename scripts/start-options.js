// The Node options of `npm start`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

export const START_OPTIONS = scripts.start
  .split(' ')
  .filter((/** @type {string} */ word) => word.startsWith('--'));
