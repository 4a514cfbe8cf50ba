/**
 * Without this file Next would look above, and take the project's own. What is not minified builds sooner.
 * @type {import("next").NextConfig}
 */
export default {
  webpack: (config) => ({ ...config, optimization: { ...config.optimization, minimize: false } }),
};
