// Walks docs/first-change.md: applies its diff to a copy of the sources, compiles that, and runs the tests that the diff brings or touches.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIFF = join(ROOT, 'docs/first-change.diff');
const TYPESCRIPT = 'node_modules/typescript/bin/tsc';

const copy = mkdtempSync(join(tmpdir(), 'posts-first-change-'));
try {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((each) => each !== ''))
    cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // What was changed nearby meanwhile does not matter.
  run('patch', '--strip=1', '--fuzz=3', '--quiet', '--no-backup-if-mismatch', `--input=${DIFF}`);
  run(process.execPath, TYPESCRIPT, '--noEmit');
  run(process.execPath, TYPESCRIPT, '--project', 'src/admin/ui');
  run(
    'npm',
    'test',
    '--',
    '--selectProjects',
    'sqlite',
    'unit',
    // It ends the list of projects.
    '--runInBand',
    'test/api-token-notes',
    'test/admin-access',
    'src/database/migrate',
  );
  console.log('The first change can be walked.');
} finally {
  rmSync(copy, { recursive: true });
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`It failed: ${command} ${args.join(' ')}`);
}
