/** The address of a logo. Its digest is part of it: a new picture has a new address, and can be kept for ever. */
export const logoUrl = (applicationId: number, digest: string): string =>
  `/-/application_logos/${applicationId}/${digest}`;
