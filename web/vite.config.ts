import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    outDir: '../src/kibitz/server/page',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Small files stay files: the page's Content-Security-Policy allows few data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What the first screen and the table need comes in two files, not in twenty.
        codeSplitting: {
          groups: [
            { name: 'svelte', test: /node_modules/ },
            { name: 'page', test: /src\/(?!screens\/|texts\/|parts\/(Settings|Keys))/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': 'http://localhost:8020',
      '/art': 'http://localhost:8020',
      '/ws': { target: 'ws://localhost:8020', ws: true },
    },
  },
  test: { include: ['tests/**/*.test.ts'] },
});
