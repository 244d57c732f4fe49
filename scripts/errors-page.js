/**
 * The text of docs/api/errors.md. The page `/problems/` of the service has the remedies, too.
 *
 * @param {readonly { status: number, slug: string, explanation: string }[]} kinds
 * @param {Readonly<Record<string, string>>} faultCodes
 */
export function errorsPage(kinds, faultCodes) {
  const byStatus = kinds.toSorted((a, b) => a.status - b.status);
  const problems = byStatus.map(({ slug, status, explanation }) => `- ${status} \`${slug}\`: ${explanation}`);
  const faults = Object.entries(faultCodes).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  return `# Errors

<!-- \`npm run openapi\` writes this page from the classes of problems. -->

Every error is a problem document (RFC 9457), \`application/problem+json\`:

\`\`\`json
{
  "type": "http://127.0.0.1:3000/problems/#invalid-request",
  "code": "invalid-request",
  "title": "Invalid request",
  "status": 400,
  "detail": "The request has one fault; nothing was changed.",
  "instance": "/posts/",
  "request_id": "0f1b1f5e-8d4c-4f0e-9b1f-2f6a3a1d8c55",
  "errors": [{ "detail": "The field is required.", "code": "required", "pointer": "/title" }]
}
\`\`\`

Programs read the two kinds of \`code\`. Codes never change; new ones may be added. The texts may change. \`request_id\` is the id of the
request in the log. Responses with 429 and 503 have \`Retry-After\`, but for \`outcome-unknown\`: such a request must not simply be sent again.

## Problems

\`type\` leads to the page \`/problems/\` of the service, which also says what to do, or is \`about:blank\`.

${problems.join('\n')}

Node's HTTP parser refuses some requests itself, with a bare 400, 408 or 431.

## Faults

Each entry of \`errors\` has a \`detail\`, a \`code\` and its place: \`pointer\`, \`parameter\` or \`header\`, in an import also \`line\`. \`limit\`
is the maximum, or the minimum for \`too_short\`.

${faults.join('\n')}
`;
}
