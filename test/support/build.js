// This file is JavaScript: jest's globalSetup uses it, and jest does not transpile globalSetup as an ES module.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { bundle } from '../../scripts/bundle.js';
import { buildSwaggerUi } from '../../scripts/swagger-ui.js';

const ROOT = join(import.meta.dirname, '../..');
const CONFIGURATIONS = ['tsconfig.json', 'tsconfig.build.json'].map((name) => join(ROOT, name));

/**
 * Updates the built service before its tests run: transpiles sources that are newer than their output, and removes the
 * output of deleted sources. `npm run check` checks the types, not this.
 */
export default async function buildChanges() {
  const file = join(ROOT, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  const project = ts.parseJsonConfigFileContent(config, ts.sys, ROOT, undefined, file);
  const outputsOf = new Map(
    project.fileNames.map((source) => [source, ts.getOutputFileNames(project, source, false)]),
  );
  const configuredAt = Math.max(...CONFIGURATIONS.map(changedAt));
  const changed = [...outputsOf]
    .filter(([source, outputs]) => {
      const neededAt = Math.max(changedAt(source), configuredAt);
      return outputs.some((output) => changedAt(output) < neededAt);
    })
    .map(([source]) => source);
  if (changed.length > 0) {
    // Each file by itself: resolving the imports would take seconds.
    ts.createProgram(changed, { ...project.options, noCheck: true, noLib: true, noResolve: true }).emit();
  }

  await buildSwaggerUi();

  const wanted = new Set([...outputsOf.values()].flat());
  const isOutdated = changedAt(join(ROOT, 'dist/service.cjs')) < Math.max(...[...wanted].map(changedAt));
  if (isOutdated) await bundle();
  const folder = join(ROOT, 'dist/src');
  for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    const output = join(folder, name);
    if (/\.js(?:\.map)?$/.test(name) && !wanted.has(output)) rmSync(output);
  }
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
