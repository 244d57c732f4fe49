// Finds what a change of openapi.json takes from those who use the API. Programs from npm that do so either read no
// OpenAPI 3.1 (openapi-diff) or download their binary from elsewhere (openapi-changes).

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];
/** Of a value that clients send, these may not fall; of one that they get, these may not rise. */
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'];

/**
 * @param {object} before an OpenAPI 3.1 document
 * @param {object} after the same, later
 * @returns {string[]} a sentence for each change that a client may not survive
 */
export function findBreakingChanges(before, after) {
  return new Comparison(before, after).compare();
}

class Comparison {
  #found = new Set();

  constructor(before, after) {
    this.before = before;
    this.after = after;
  }

  compare() {
    for (const [path, was] of Object.entries(this.before.paths)) {
      const is = this.after.paths[path];
      if (!is) this.#report(path, 'the path is gone');
      else
        for (const method of METHODS)
          this.#compareMethod(`${method.toUpperCase()} ${path}`, was[method], is[method]);
    }
    return [...this.#found];
  }

  #compareMethod(where, was, is) {
    if (!was) return;
    if (!is) return this.#report(where, 'the operation is gone');
    if (was.operationId !== is.operationId)
      this.#report(where, `the operationId ${was.operationId} is now ${is.operationId}`);
    if (allowsNobody(was.security) && !allowsNobody(is.security)) this.#report(where, 'it needs a token now');
    this.#compareParameters(where, this.#parameters(this.before, was), this.#parameters(this.after, is));
    this.#compareRequestBody(where, was.requestBody, is.requestBody);
    for (const [status, response] of Object.entries(was.responses))
      if (is.responses[status]) this.#compareResponse(`${where} → ${status}`, response, is.responses[status]);
      // A failure that does not happen any more harms nobody.
      else if (status.startsWith('2')) this.#report(where, `the answer ${status} is gone`);
  }

  #parameters(document, { parameters = [] }) {
    return new Map(
      parameters
        .map((each) => resolve(document, each))
        .map((each) => [`${each.in} parameter ${each.name}`, each]),
    );
  }

  #compareParameters(where, was, is) {
    for (const [name, parameter] of is)
      if (parameter.required && !was.get(name)?.required) this.#report(where, `the ${name} is required now`);
    for (const [name, parameter] of was)
      if (!is.has(name)) this.#report(where, `the ${name} is gone`);
      else this.#compareSchema(`${where}: ${name}`, parameter.schema, is.get(name).schema, { sent: true });
  }

  #compareRequestBody(where, was, is) {
    if (is?.required && !was?.required) this.#report(where, 'the body is required now');
    if (was) this.#compareContent(`${where}: body`, was.content, is?.content, { sent: true });
  }

  #compareResponse(where, was, is) {
    const [before, after] = [resolve(this.before, was), resolve(this.after, is)];
    for (const [name, header] of Object.entries(before.headers ?? {}))
      if (resolve(this.before, header).required && !resolve(this.after, after.headers?.[name])?.required)
        this.#report(where, `the header field ${name} may be missing now`);
    this.#compareContent(where, before.content, after.content, { sent: false });
  }

  #compareContent(where, was = {}, is = {}, direction) {
    for (const [mediaType, { schema }] of Object.entries(was))
      if (!is[mediaType]) this.#report(where, `${mediaType} is gone`);
      else this.#compareSchema(`${where} ${mediaType}`, schema, is[mediaType].schema, direction);
  }

  #compareSchema(where, wasReference, isReference, { sent }) {
    const [was, is] = [resolve(this.before, wasReference) ?? {}, resolve(this.after, isReference) ?? {}];
    this.#compareValues(where, was, is, sent);
    this.#compareProperties(where, was, is, sent);
    if (was.items && is.items) this.#compareSchema(`${where}[]`, was.items, is.items, { sent });
  }

  #compareValues(where, was, is, sent) {
    // What is sent must still be taken; what is answered must still be understood.
    const [wide, narrow, change] = sent ? [is, was, 'taken'] : [was, is, 'expected'];
    for (const type of typesOf(narrow))
      if (
        !typesOf(wide).some(
          (each) => each === 'any' || each === type || (each === 'number' && type === 'integer'),
        )
      )
        this.#report(where, `the type ${type} is not ${change} any more`);
    if (sent && is.enum)
      for (const value of was.enum ?? ['any other value'])
        if (!is.enum.includes(value)) this.#report(where, `${value} is not taken any more`);
    for (const bound of UPPER_BOUNDS)
      if ((wide[bound] ?? Infinity) < (narrow[bound] ?? Infinity))
        this.#report(where, `${bound} was ${was[bound]}, is ${is[bound]}`);
    for (const bound of LOWER_BOUNDS)
      if ((wide[bound] ?? -Infinity) > (narrow[bound] ?? -Infinity))
        this.#report(where, `${bound} was ${was[bound]}, is ${is[bound]}`);
  }

  #compareProperties(where, was, is, sent) {
    const [wasRequired, isRequired] = [was.required ?? [], is.required ?? []];
    for (const [name, schema] of Object.entries(was.properties ?? {}))
      if (!is.properties?.[name]) this.#report(where, `the property ${name} is gone`);
      else this.#compareSchema(`${where}.${name}`, schema, is.properties[name], { sent });
    const [must, mustBefore] = sent ? [isRequired, wasRequired] : [wasRequired, isRequired];
    for (const name of must)
      if (!mustBefore.includes(name) && (sent || is.properties?.[name]))
        this.#report(where, `the property ${name} ${sent ? 'is required' : 'may be missing'} now`);
  }

  #report(where, what) {
    this.#found.add(`${where}: ${what}`);
  }
}

function allowsNobody(security) {
  return (
    security === undefined || security.length === 0 || security.some((each) => Object.keys(each).length === 0)
  );
}

function typesOf({ type, enum: values }) {
  if (type !== undefined) return [type].flat();
  return values ? [...new Set(values.map((value) => typeof value))] : ['any'];
}

function resolve(document, part) {
  if (!part?.$ref) return part;
  const steps = part.$ref.replace('#/', '').split('/');
  return resolve(
    document,
    steps.reduce((node, step) => node[step], document),
  );
}
