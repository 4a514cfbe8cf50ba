/**
 * Returns the path of a logo. It contains the digest of the picture, so that browsers can cache it
 * permanently.
 */
export const logoUrl = (applicationId: number, digest: string): string =>
  `/-/application_logos/${applicationId}/${digest}`;
