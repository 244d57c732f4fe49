import { defineConfig } from 'vite';

/** `npm run build` builds the administration site; `npx vite --config` with this file serves it during development. */
export default defineConfig({
  root: import.meta.dirname,
  // The service may run under any prefix. All URLs are relative to the page's <base href>.
  base: './',
  build: {
    outDir: '../../../dist/admin-ui',
    emptyOutDir: true,
    target: 'es2022',
    // The strict Content-Security-Policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // The licences of all bundled packages ship with the site.
    license: { fileName: 'assets/licenses.txt' },
    // Silences a warning about "use client" in packages, which concerns only server rendering of React.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: {
    proxy: { '^/(?:posts|problems)/|^/admin/api/': 'http://127.0.0.1:3000' },
  },
});
