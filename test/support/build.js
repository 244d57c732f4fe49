// This file is JavaScript: jest's globalSetup uses it, and jest does not transpile globalSetup as an ES module.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { buildSwaggerUi } from '../../scripts/swagger-ui.js';

const ROOT = join(import.meta.dirname, '../..');
const CONFIGURATIONS = ['tsconfig.json', 'tsconfig.build.json'].map((name) => join(ROOT, name));

/**
 * Updates the built service before its tests run: transpiles sources that are newer than their output. `npm run check`
 * checks the types, not this.
 */
export default async function buildChanges() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: console.error };
  const project = ts.getParsedCommandLineOfConfigFile(CONFIGURATIONS[1] ?? '', {}, host);
  if (!project) throw new Error('tsconfig.build.json is not valid.');
  /** @param {string} source */
  const builtAt = (source) => changedAt(ts.getOutputFileNames(project, source, false)[0] ?? '');
  const configuredAt = Math.max(...CONFIGURATIONS.map(changedAt));
  const changed = project.fileNames.filter((file) => builtAt(file) < Math.max(changedAt(file), configuredAt));
  if (changed.length > 0) {
    // Each file by itself: resolving the imports would take seconds.
    ts.createProgram(changed, { ...project.options, noCheck: true, noLib: true, noResolve: true }).emit();
  }
  await buildSwaggerUi();
  if (changedAt(join(ROOT, 'dist/service.cjs')) < Math.max(...project.fileNames.map(builtAt)))
    await build({ configFile: join(ROOT, 'scripts/bundle.config.js'), logLevel: 'warn' });
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
