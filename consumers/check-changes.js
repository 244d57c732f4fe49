// Compares openapi.json with that of the last release (the last tag `v1.2.3`), or else with what was committed before
// it: a change that takes something from those who use the API needs a new major version (a minor one before 1.0).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBreakingChanges } from './breaking-changes.js';

const FILE = 'openapi.json';
const ROOT = join(import.meta.dirname, '..');

const text = readFileSync(join(ROOT, FILE), 'utf8');
const after = JSON.parse(text);
const commit = lastRelease() ?? lastOther();
if (commit === undefined) {
  console.log(`There is no earlier ${FILE} to compare with.`);
} else {
  const before = JSON.parse(git('show', `${commit}:${FILE}`));
  const found = findBreakingChanges(before, after);
  for (const each of found) console.log(each);
  const [was, is] = [before.info.version, after.info.version];
  const isAllowed = lineOf(was) !== lineOf(is);
  console.log(
    `Breaking changes since ${was} (${commit.slice(0, 12)}): ${found.length}${isAllowed ? ', and it is a new major version' : ''}.`,
  );
  process.exitCode = found.length === 0 || isAllowed ? 0 : 1;
}

function lastRelease() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim();
  return tag !== undefined && git('cat-file', '-e', `${tag}:${FILE}`) !== undefined ? tag : undefined;
}

/** The newest commit in which the file was another one. */
function lastOther() {
  const commits = git('log', '-n', '20', '--format=%H', '--', FILE)?.split('\n') ?? [];
  return commits.find((each) => each !== '' && ![undefined, text].includes(git('show', `${each}:${FILE}`)));
}

/** Versions of a line can take each other's place. */
function lineOf(version) {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}

/** @returns undefined when git is not there, or says no */
function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  } catch {
    return undefined;
  }
}
