import { systemDeps } from "@/kernel/deps/deps";

/** Returns the issuer URL of this instance, which is public. */
export const loadIssuer = (): string => systemDeps().config.issuer;
