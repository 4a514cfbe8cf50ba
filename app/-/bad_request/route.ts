import { badRequest } from "@/server/bad-request.ts";

export {
  badRequest as DELETE,
  badRequest as GET,
  badRequest as OPTIONS,
  badRequest as PATCH,
  badRequest as POST,
  badRequest as PUT,
};
