import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/** The response that GitLab sends when a registration is approved or rejected. */
export const success = defineEntity("success", { message: z.literal("Success") }, (_done: null) => ({
  message: "Success" as const,
}));
