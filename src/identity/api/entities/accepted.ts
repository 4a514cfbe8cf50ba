import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/** GitLab's response to a deferred removal. This instance removes immediately. */
export const accepted = defineEntity("accepted", { message: z.literal("202 Accepted") }, (_done: null) => ({
  message: "202 Accepted" as const,
}));
