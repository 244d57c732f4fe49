export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
export const HTML_TYPE = 'text/html';
export const YAML_TYPE = 'application/yaml';
/** Prometheus' text format. */
export const PROMETHEUS_TYPE = 'text/plain';
