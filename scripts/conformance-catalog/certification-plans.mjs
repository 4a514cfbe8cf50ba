/** @import { Requirement } from "../conformance-catalog.mjs" */

/** @satisfies {Record<string, Requirement>} */
export const CERTIFICATION_PLANS = {
  "OF-01": {
    rule: "the modules of the Basic OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Core §3.1",
  },
  "OF-02": {
    rule: "the modules of the Config OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Discovery §3, §4",
  },
  "OF-03": {
    rule: "the modules of the Form Post OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OAuth 2.0 Form Post Response Mode §2",
  },
  "OF-04": {
    rule: "the modules of the RP-Initiated Logout OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect RP-Initiated Logout §2, §3",
  },
  "OF-05": {
    rule: "the modules of the Back-Channel Logout OP certification plan of the OpenID Foundation",
    expected: "each module of the plan passes",
    source: "OpenID Connect Back-Channel Logout §2",
  },
};

/** The modules of the Basic OP plan, in the order of the plan. */
const BASIC_MODULES = /** @type {const} */ ([
  "oidcc-server",
  "oidcc-response-type-missing",
  "oidcc-idtoken-signature",
  "oidcc-idtoken-unsigned",
  "oidcc-userinfo-get",
  "oidcc-userinfo-post-header",
  "oidcc-userinfo-post-body",
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow",
  "oidcc-scope-profile",
  "oidcc-scope-email",
  "oidcc-scope-address",
  "oidcc-scope-phone",
  "oidcc-scope-all",
  "oidcc-ensure-other-scope-order-succeeds",
  "oidcc-display-page",
  "oidcc-display-popup",
  "oidcc-prompt-login",
  "oidcc-prompt-none-not-logged-in",
  "oidcc-prompt-none-logged-in",
  "oidcc-max-age-1",
  "oidcc-max-age-10000",
  "oidcc-ensure-request-with-unknown-parameter-succeeds",
  "oidcc-id-token-hint",
  "oidcc-login-hint",
  "oidcc-ui-locales",
  "oidcc-claims-locales",
  "oidcc-ensure-request-with-acr-values-succeeds",
  "oidcc-codereuse",
  "oidcc-codereuse-30seconds",
  "oidcc-ensure-registered-redirect-uri",
  "oidcc-ensure-post-request-succeeds",
  "oidcc-server-client-secret-post",
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
  "oidcc-claims-essential",
  "oidcc-ensure-request-object-with-redirect-uri",
  "oidcc-refresh-token",
  "oidcc-ensure-request-with-valid-pkce-succeeds",
]);

/**
 * The modules of each certification plan, as in the source of the conformance suite
 * (https://gitlab.com/openid/conformance-suite), by the id of the rule. The Form Post OP plan has the modules
 * of the Basic OP plan. The suite runs three modules of both plans only with dynamic client registration:
 * `oidcc-idtoken-signature`, `oidcc-idtoken-unsigned` and `oidcc-request-uri-unsigned-…`.
 */
export const PLAN_MODULES = /** @type {const} */ ({
  "OF-01": BASIC_MODULES,
  "OF-02": ["oidcc-discovery-endpoint-verification"],
  "OF-03": BASIC_MODULES,
  "OF-04": [
    "oidcc-rp-initiated-logout-discovery-endpoint-verification",
    "oidcc-rp-initiated-logout",
    "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri",
    "oidcc-rp-initiated-logout-modified-id-token-hint",
    "oidcc-rp-initiated-logout-no-id-token-hint",
    "oidcc-rp-initiated-logout-no-params",
    "oidcc-rp-initiated-logout-no-post-logout-redirect-uri",
    "oidcc-rp-initiated-logout-no-state",
    "oidcc-rp-initiated-logout-only-state",
    "oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri",
    "oidcc-rp-initiated-logout-bad-id-token-hint",
  ],
  "OF-05": [
    "oidcc-backchannel-logout-discovery-endpoint-verification",
    "oidcc-backchannel-rp-initiated-logout",
  ],
});

/** @typedef {keyof typeof PLAN_MODULES} PlanId */
/** @template {PlanId} Id @typedef {(typeof PLAN_MODULES)[Id][number]} ModuleName */
