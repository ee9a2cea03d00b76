import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file that needs nothing else, the same from the same sources on every machine.
export default defineConfig({
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), viteSingleFile()],
  build: { target: 'es2022', modulePreload: false, reportCompressedSize: false },
});
