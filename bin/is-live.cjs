// Health check of the container image, which has no curl. Exits with status 0 when the service responds.
'use strict';

const { PORT = '3000', BASE_PATH = '' } = process.env;

fetch(`http://127.0.0.1:${PORT}${BASE_PATH}/health/live`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
