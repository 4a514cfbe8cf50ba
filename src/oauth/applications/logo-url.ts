/**
 * Returns the path of a logo. The path contains the digest of the picture, so that browsers may cache the
 * picture permanently.
 */
export const logoUrl = (applicationId: number, digest: string): string =>
  `/-/application_logos/${applicationId}/${digest}`;
