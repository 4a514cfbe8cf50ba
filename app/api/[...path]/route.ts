import { unknownRoute } from "@/http-api/refusals";
import { apiPreflight } from "@/oauth/api/cors";

export {
  apiPreflight as OPTIONS,
  unknownRoute as DELETE,
  unknownRoute as GET,
  unknownRoute as PATCH,
  unknownRoute as POST,
  unknownRoute as PUT,
};
