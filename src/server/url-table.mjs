/**
 * Addresses and headers that hold in both mounts: the server in this folder and Next read the same tables.
 * Everything else about an address is the file tree below `app`.
 */

/** Another prefix for the same route files. `request.url` keeps the address that was asked for. */
export const REWRITES = [{ from: "/api/v5/", to: "/api/v4/" }];

/** Older addresses of pages. 303: whatever was sent there, the page is fetched. */
export const REDIRECTS = [
  { from: "/profile/applications", to: "/user_settings/applications" },
  { from: "/-/user_settings/applications", to: "/user_settings/applications" },
  { from: "/-/profile/applications", to: "/user_settings/applications" },
];

/** For every answer below a prefix; a later row wins. */
export const RESPONSE_HEADERS = [
  {
    below: "/",
    headers: {
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      // With `no-referrer` forms would send `Origin: null`, which the same-origin check refuses.
      "Referrer-Policy": "same-origin",
    },
  },
  { below: "/api/", headers: { "X-Frame-Options": "SAMEORIGIN" } },
];
