export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
export const HTML_TYPE = 'text/html';
export const YAML_TYPE = 'application/yaml';
export const LINKSET_TYPE = 'application/linkset+json';
export const NDJSON_TYPE = 'application/x-ndjson';
/** Other names of a media type that clients use. No one of them is registered. */
export const MEDIA_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['application/jsonl', NDJSON_TYPE],
  ['application/ndjson', NDJSON_TYPE],
]);
export const CSV_TYPE = 'text/csv';
export const ATOM_TYPE = 'application/atom+xml';
/** Prometheus' text format. */
export const PROMETHEUS_TYPE = 'text/plain';
