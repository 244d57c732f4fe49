// In JavaScript, because it is a part of jest's own configuration, which jest does not transpile.
import { createRequire } from 'node:module';
import { transformSync } from 'rolldown/utils';

/** @returns {typeof import('typescript')} loaded when it is needed: that takes longer than most test files */
const typescript = () => createRequire(import.meta.url)('typescript');

const DECORATOR = /^\s*@\w/m;

/** A transformer for jest: transpiles only; types are checked by `npm run check`. */
export default {
  /** @param {string} source @param {string} path */
  process(source, path) {
    // TypeScript's way with decorators needs helpers, which it writes itself.
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
