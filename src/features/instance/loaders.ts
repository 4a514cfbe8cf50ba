import { systemDeps } from "@/platform/deps";

/** Where this instance is reached: no secret, everybody may know it. */
export const loadIssuer = (): string => systemDeps().config.issuer;
