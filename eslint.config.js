import js from "@eslint/js";
import globals from "globals";

const rules = {
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_$" }],
  "no-var": "error",
  "prefer-const": "error",
};

export default [
  js.configs.recommended,
  { languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser }, rules },
  { files: ["tests/js/*.mjs"], languageOptions: { globals: globals.node } },
];
