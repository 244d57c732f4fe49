import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: import.meta.dirname,
  input: { path: './generated/openapi-client.json' },
  output: { path: './generated/kubb', extension: { '.ts': '.js' } },
  plugins: [
    pluginOas({ generators: [], validate: false, serverIndex: 0 }),
    pluginTs(),
    pluginClient({ client: 'axios', dataReturnType: 'full', paramsType: 'object' }),
  ],
});
