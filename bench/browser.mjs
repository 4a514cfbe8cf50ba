import { StepFailed } from "../scripts/prepare-step.mjs";

/**
 * The redirect URI of the measured applications. No server needs to listen at the redirect URI
 * `REDIRECT_URI`, because the benchmark reads the authorization code from the redirect response.
 */
export const REDIRECT_URI = "http://127.0.0.1:9/callback";

const REDIRECTS_MAX = 10;

/**
 * Returns a client that acts as the browser of one user: it stores cookies and posts forms.
 * @param {string} baseUrl the only server to which the client sends requests.
 */
export function openBrowser(baseUrl) {
  /** @type {Map<string, string>} */
  const cookies = new Map();

  /**
   * @param {string} url
   * @param {Record<string, string> | null} [form] the form to post; without a form, the request is a GET.
   * @returns {Promise<{ status: number, location: string | null, bytes: number, text: string }>}
   */
  async function send(url, form = null) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      method: form === null ? "GET" : "POST",
      headers: { origin: new URL(baseUrl).origin, cookie },
      body: form && new URLSearchParams(form),
      redirect: "manual",
    });
    const body = Buffer.from(await response.arrayBuffer());
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location && String(new URL(location, url)),
      bytes: body.byteLength,
      text: body.toString("utf8"),
    };
  }

  /** @param {string} line */
  function keep(line) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }

  /**
   * Follows redirects from an authorization request until a redirect to the client.
   * @param {string} url
   * @param {readonly Record<string, string>[]} [forms] the forms to post to the pages between the redirects:
   * one form for each page, in the order of the pages.
   * @returns {Promise<string>} the authorization code.
   * @throws StepFailed when no response contains an authorization code.
   */
  async function authorize(url, forms = []) {
    const left = [...forms];
    let at = url;
    for (let step = 0; step < REDIRECTS_MAX; step += 1) {
      let { status, location } = await send(at);
      const form = location === null ? left.shift() : undefined;
      if (form !== undefined) ({ status, location } = await send(at, form));
      if (location === null) throw new StepFailed(`${at} returned ${status} instead of a redirect.`);
      if (location.startsWith(REDIRECT_URI)) return codeFrom(location);
      at = location;
    }
    throw new StepFailed(`${url} redirects too many times.`);
  }

  return { send, authorize };
}

/** @param {string} location */
function codeFrom(location) {
  const code = new URL(location).searchParams.get("code");
  if (code === null) throw new StepFailed(`The redirect URL ${location} contains no authorization code.`);
  return code;
}

/**
 * Returns the query string of an authorization request.
 * @param {string} clientId
 * @param {string} [scope]
 */
export const authorizationQuery = (clientId, scope = "read_user") =>
  new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope,
    state: "bench",
  });
