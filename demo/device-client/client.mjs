import * as oauth from "openid-client";

/**
 * A client that signs a user in on a machine without a browser (RFC 8628). The client prints a user code and
 * a URL, polls until the user has allowed or denied the request, and prints the name of the user.
 *
 * ISSUER is the URL of Gatehouse. CLIENT_ID is the Application ID of a public application with the scope
 * read_user.
 */
const { ISSUER, CLIENT_ID } = process.env;
if (!ISSUER || !CLIENT_ID) stop("Set the environment variables ISSUER and CLIENT_ID.");

const issuer = new URL(ISSUER);
const insecure = issuer.protocol === "http:" ? { execute: [oauth.allowInsecureRequests] } : {};

try {
  const config = await oauth.discovery(issuer, CLIENT_ID, undefined, oauth.None(), insecure);
  const device = await oauth.initiateDeviceAuthorization(config, { scope: "read_user" });
  console.log(`
On any device with a browser, open

  ${device.verification_uri}

and enter the code

  ${device.user_code}

or open ${device.verification_uri_complete}

Waiting for your decision, for at most ${Math.round(device.expires_in / 60)} minutes …`);
  const tokens = await oauth.pollDeviceAuthorizationGrant(config, device);
  const response = await oauth.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL("/api/v4/user", issuer),
    "GET",
  );
  /** @type {{ username: string, name: string, email: string }} */
  const { username, name, email } = await response.json();
  console.log(`\nThis device is connected as ${name} (@${username}, ${email}).`);
} catch (error) {
  stop(sentenceFor(error));
}

/** @param {unknown} error the error that the library threw */
function sentenceFor(error) {
  const code = error instanceof Error && "error" in error ? error.error : undefined;
  if (code === "access_denied") return "You denied the request, so no data was shared.";
  if (code === "expired_token") return "The code has expired. Start again to get a new code.";
  return `The connection failed: ${error instanceof Error ? error.message : error}`;
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
