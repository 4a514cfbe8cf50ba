/**
 * Without this file, Next would use the configuration in a parent folder, which is that of the project.
 * Minification is disabled, because it makes the build slower.
 * @type {import("next").NextConfig}
 */
export default {
  webpack: (config) => ({ ...config, optimization: { ...config.optimization, minimize: false } }),
};
