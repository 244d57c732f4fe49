// This file is JavaScript: it is part of jest's configuration, which jest does not transpile.

/** A transformer for jest. It only transpiles; `npm run check` checks the types. */
export default {
  /** @param {string} source @param {string} path */
  async processAsync(source, path) {
    // On demand: loading it takes longer than most test files.
    const { default: ts } = await import('typescript');
    const compilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      sourceMap: true,
    };
    const { outputText, sourceMapText } = ts.transpileModule(source, { fileName: path, compilerOptions });
    return { code: outputText, map: sourceMapText ?? null };
  },
};
