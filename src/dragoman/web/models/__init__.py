"""The models of the server: engines that translate, estimators of quality; interface (`_api`) and pages."""
