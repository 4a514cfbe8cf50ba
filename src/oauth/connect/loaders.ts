import { systemDeps } from "@/kernel/deps/deps";

/** Where this instance is reached: no secret, everybody may know it. */
export const loadIssuer = (): string => systemDeps().config.issuer;
