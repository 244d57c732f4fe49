// Health check of the container image, which has no curl. Exits with status 0 when the service responds.
'use strict';

// As the service reads them: an empty PORT is not set, and `blog/` means `/blog`.
const port = process.env.PORT || '3000';
const segments = (process.env.BASE_PATH || '').split('/').filter(Boolean);

fetch(`http://127.0.0.1:${port}/${segments.concat('health/live').join('/')}`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
