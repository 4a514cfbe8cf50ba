import { mustUsePkce } from "./rules";
import { type Facts, IMPORT_ENV, literal, type Snippet } from "./snippet";

export function passport({ issuer, uid, redirectUri, scope }: Facts): Snippet {
  const code = `${IMPORT_ENV}import passport from "passport";
import OAuth2Strategy from "passport-oauth2";

passport.use(
  new OAuth2Strategy(
    {
      authorizationURL: ${literal(`${issuer}/oauth/authorize`)},
      tokenURL: ${literal(`${issuer}/oauth/token`)},
      clientID: ${literal(uid)},
      clientSecret: env.CLIENT_SECRET,
      callbackURL: ${literal(redirectUri)},
      scope: ${literal(scope)},
      state: true,
      pkce: true,
    },
    (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken }),
  ),
);`;
  return {
    id: "passport",
    title: "Passport (passport-oauth2)",
    about: "Requires a server-side session that stores the values for state and PKCE.",
    code,
  };
}

export function python({ issuer, uid, redirectUri, scope, application }: Facts): Snippet {
  const pkce = mustUsePkce(application);
  const insecure = issuer.startsWith("http:")
    ? `os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # this server has no https
`
    : "";
  const verifier = `code_verifier = secrets.token_urlsafe(32)
code_challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).decode().rstrip("=")
`;
  const challenge = pkce
    ? `
    code_challenge=code_challenge,
    code_challenge_method="S256",`
    : "";
  const code = `${pkce ? "import base64\nimport hashlib\n" : ""}import os
${pkce ? "import secrets\n" : ""}from requests_oauthlib import OAuth2Session

${insecure}client = OAuth2Session(
    ${literal(uid)},
    redirect_uri=${literal(redirectUri)},
    scope=${literal(scope)},
)
${pkce ? verifier : ""}url, state = client.authorization_url(
    ${literal(`${issuer}/oauth/authorize`)},${challenge}
)
# Redirect the browser to url. When the browser returns at current_url, exchange the authorization code:
token = client.fetch_token(
    ${literal(`${issuer}/oauth/token`)},
    client_secret=os.environ["CLIENT_SECRET"],
    authorization_response=current_url,${pkce ? "\n    code_verifier=code_verifier," : ""}
)`;
  return { id: "python", title: "Python (requests-oauthlib)", about: "Version 1.3 or newer.", code };
}

/**
 * Returns source code for passport-gitlab2; empty for an application without the scope `read_user`, with
 * which passport-gitlab2 reads the profile of the user.
 */
export function passportGitlab({ issuer, uid, redirectUri, application }: Facts): readonly Snippet[] {
  if (!application.scopes.includes("read_user")) return [];
  const code = `${IMPORT_ENV}import passport from "passport";
import GitLabStrategy from "passport-gitlab2";

passport.use(
  new GitLabStrategy(
    {
      baseURL: ${literal(issuer)},
      clientID: ${literal(uid)},
      clientSecret: env.CLIENT_SECRET,
      callbackURL: ${literal(redirectUri)},
      scope: "read_user",
      state: true,
      pkce: true,
    },
    (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken, profile }),
  ),
);`;
  const about = "Version 5. Requires a server-side session that stores the values for state and PKCE.";
  return [{ id: "passport-gitlab2", title: "Passport (passport-gitlab2)", about, code }];
}

export function authlib({ issuer, uid, redirectUri, scope, application }: Facts): Snippet {
  const insecure = issuer.startsWith("http:")
    ? `os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # this server has no https
`
    : "";
  const secret = application.confidential
    ? `    os.environ["CLIENT_SECRET"],`
    : `    token_endpoint_auth_method="none",`;
  const code = `import os
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

${insecure}client = OAuth2Session(
    ${literal(uid)},
${secret}
    scope=${literal(scope)},
    redirect_uri=${literal(redirectUri)},
    code_challenge_method="S256",
)
code_verifier = generate_token(48)
url, state = client.create_authorization_url(
    ${literal(`${issuer}/oauth/authorize`)}, code_verifier=code_verifier
)
# Redirect the browser to url. When the browser returns at current_url, exchange the authorization code:
token = client.fetch_token(
    ${literal(`${issuer}/oauth/token`)},
    authorization_response=current_url,
    code_verifier=code_verifier,
    state=state,
)`;
  return { id: "authlib", title: "Python (Authlib)", about: "Version 1.2 or newer.", code };
}

export function go({ issuer, uid, redirectUri, scope, application }: Facts): Snippet {
  // The space after each name aligns the values, as gofmt does.
  const [imports, secret, space] = application.confidential
    ? [`\n\t"os"`, `\n\t\tClientSecret: os.Getenv("CLIENT_SECRET"),`, " "]
    : ["", "", ""];
  const code = `package main

import (
	"context"
	"fmt"
	"log"${imports}

	"golang.org/x/oauth2"
)

func main() {
	config := &oauth2.Config{
		ClientID:    ${space}${literal(uid)},${secret}
		RedirectURL: ${space}${literal(redirectUri)},
		Scopes:      ${space}[]string{${scope.split(" ").map(literal).join(", ")}},
		Endpoint: oauth2.Endpoint{
			AuthURL:   ${literal(`${issuer}/oauth/authorize`)},
			TokenURL:  ${literal(`${issuer}/oauth/token`)},
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}
	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println("Open", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	// When the browser returns with this state and a code, exchange the authorization code:
	var code string
	fmt.Scanln(&code)
	token, err := config.Exchange(context.Background(), code, oauth2.VerifierOption(verifier))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.TokenType, token.Expiry)
}`;
  return { id: "go", title: "Go (golang.org/x/oauth2)", about: "Version 0.13 or newer.", code };
}

/**
 * Returns source code for omniauth-gitlab; empty for an application without the scope `read_user`, which
 * omniauth-gitlab needs.
 */
export function ruby({ issuer, uid, redirectUri, application }: Facts): readonly Snippet[] {
  if (!application.scopes.includes("read_user")) return [];
  const code = `require "omniauth-gitlab"

use OmniAuth::Builder do
  provider :gitlab, ${literal(uid)}, ENV.fetch("CLIENT_SECRET"),
    client_options: { site: ${literal(issuer)} },
    redirect_url: ${literal(redirectUri)},
    scope: "read_user",
    pkce: true
end`;
  const about =
    "Version 4.1. Register https://your.site/auth/gitlab/callback as a redirect URI. Add the source code to config.ru, after the session, or to an initializer of Rails.";
  return [{ id: "ruby", title: "Ruby (omniauth-gitlab)", about, code }];
}

/** Returns a text as a single-quoted PHP string, in which `$` does not begin a variable. */
const phpLiteral = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

export function php({ issuer, uid, redirectUri, scope }: Facts): Snippet {
  const code = `<?php
require 'vendor/autoload.php';

$provider = new League\\OAuth2\\Client\\Provider\\GenericProvider([
    'clientId' => ${phpLiteral(uid)},
    'clientSecret' => getenv('CLIENT_SECRET'),
    'redirectUri' => ${phpLiteral(redirectUri)},
    'urlAuthorize' => ${phpLiteral(`${issuer}/oauth/authorize`)},
    'urlAccessToken' => ${phpLiteral(`${issuer}/oauth/token`)},
    'urlResourceOwnerDetails' => ${phpLiteral(`${issuer}/api/v4/user`)},
    'scopes' => ${phpLiteral(scope)},
    'pkceMethod' => 'S256',
]);
session_start();
if (!isset($_GET['code'])) {
    $url = $provider->getAuthorizationUrl();
    $_SESSION['state'] = $provider->getState();
    $_SESSION['code_verifier'] = $provider->getPkceCode();
    header('Location: ' . $url);
    exit;
}
if (!hash_equals($_SESSION['state'] ?? '', $_GET['state'] ?? '')) {
    exit('The state is wrong.');
}
$provider->setPkceCode($_SESSION['code_verifier']);
$token = $provider->getAccessToken('authorization_code', ['code' => $_GET['code']]);`;
  return { id: "php", title: "PHP (league/oauth2-client)", about: "Version 2.7 or newer.", code };
}
