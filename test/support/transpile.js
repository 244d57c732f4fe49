// This file is JavaScript: it is part of jest's configuration, which jest does not transpile.
import { createRequire } from 'node:module';
import { transformSync } from 'rolldown/utils';

/** @returns {typeof import('typescript')} loaded on demand, because loading it takes longer than most test files */
const typescript = () => createRequire(import.meta.url)('typescript');

const DECORATOR = /^\s*@\w/m;

/** A transformer for jest. It only transpiles; `npm run check` checks the types. */
export default {
  /** @param {string} source @param {string} path */
  process(source, path) {
    // Decorators need the helpers that TypeScript emits.
    if (DECORATOR.test(source)) return transpileByTypeScript(source, path);
    const { code, map, errors } = transformSync(path, source, { target: 'es2023', sourcemap: true });
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
    return { code, map: map ? JSON.stringify(map) : null };
  },
};

/** @param {string} source @param {string} path */
function transpileByTypeScript(source, path) {
  const ts = typescript();
  const { outputText, sourceMapText } = ts.transpileModule(source, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      sourceMap: true,
    },
  });
  return { code: outputText, map: sourceMapText ?? null };
}
