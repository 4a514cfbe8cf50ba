import { apiPreflight } from "@/api/cors";
import { unknownRoute } from "@/api/endpoint";

export {
  apiPreflight as OPTIONS,
  unknownRoute as DELETE,
  unknownRoute as GET,
  unknownRoute as PATCH,
  unknownRoute as POST,
  unknownRoute as PUT,
};
