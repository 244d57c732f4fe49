import { defineConfig, type Plugin } from 'vite';

/** Has the browser load the site together with the first module, which imports it later. */
const preloaded: Plugin = {
  name: 'preloaded',
  transformIndexHtml(_html, { bundle = {} }) {
    const site = Object.values(bundle).find(({ name }) => name === 'site');
    const files = site?.type === 'chunk' ? [site.fileName, ...site.imports] : [];
    return files.map((file) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
      // Below <base>.
      injectTo: 'head',
    }));
  },
};

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
  plugins: [preloaded],
  server: {
    proxy: { '^/(?:posts|problems)/|^/admin/api/': 'http://127.0.0.1:3000' },
  },
});
