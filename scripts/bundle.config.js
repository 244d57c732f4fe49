import { readFile } from 'node:fs/promises';
import { defineConfig } from 'vite';

const NO_MAPPINGS = { mappings: '' };

/** Bundles the compiler's output in dist/src/ and its packages into dist/service.cjs: one file loads in half the time. */
export default defineConfig({
  build: {
    ssr: 'dist/src/main.js',
    emptyOutDir: false,
    // With it, the stack of an error names the lines of src/.
    sourcemap: true,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      // Nest, TypeORM and its migrations identify classes by name.
      output: {
        entryFileNames: 'service.cjs',
        format: 'cjs',
        codeSplitting: false,
        keepNames: true,
        sourcemapExcludeSources: true,
      },
    },
  },
  // External are native code, and files to serve. Packages are those that Node itself would load.
  ssr: { noExternal: true, external: ['sqlite3', 'swagger-ui-dist'], resolve: { mainFields: ['main'] } },
  plugins: [
    {
      // From the bundle to src/, by way of the compiler's maps. Node reads the whole map at each start, so packages have none.
      name: 'map-of-our-code',
      load: {
        filter: { id: /\/dist[^/]*\/src\/.*\.js$/ },
        handler: async (id) => ({
          code: await readFile(id, 'utf8'),
          map: await readFile(`${id}.map`, 'utf8'),
        }),
      },
      transform: {
        filter: { id: /\/node_modules\// },
        handler: (code) => ({ code, map: NO_MAPPINGS }),
      },
    },
    {
      // Nest's packages load some packages by a `require` that bundlers do not resolve, which would load them twice.
      name: 'one-of-each',
      transform: {
        filter: { id: /node_modules\/@nestjs\/(?:mapped-types|typeorm)\// },
        handler: (code) => ({
          code: code.replace('const require = createRequire(import.meta.url);', ''),
          map: NO_MAPPINGS,
        }),
      },
    },
  ],
});
