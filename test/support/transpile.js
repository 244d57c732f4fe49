// This file is JavaScript: it is part of jest's configuration, which jest does not transpile.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A transformer for jest, which keeps its results. It only transpiles; `npm run check` checks the types. */
export default {
  /** @param {string} source @param {string} path */
  process(source, path) {
    // Loaded on demand, because that takes longer than most test files.
    const ts = /** @type {typeof import('typescript')} */ (require('typescript'));
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
  },
};
