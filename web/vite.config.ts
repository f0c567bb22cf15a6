import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const page = join(import.meta.dirname, '../src/kibitz/server/page');

/** The server sends a file's compressed sister where there is one. */
function compressed(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && /\.(js|css|html|svg|webmanifest)$/.test(path)) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
  }
}

export default defineConfig({
  plugins: [svelte(), { name: 'compress', apply: 'build', closeBundle: () => compressed(page) }],
  base: '/',
  build: {
    outDir: page,
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
            { name: 'svelte', test: /node_modules\/(?!uqr)/ },
            { name: 'page', test: /src\/(?!screens\/|texts\/|parts\/(Settings|Keys))/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      // Host stays as it is: the server compares it with the page's origin.
      '/api': { target: 'http://localhost:8020' },
      '/art': 'http://localhost:8020',
      '/ws': { target: 'ws://localhost:8020', ws: true },
    },
  },
});
