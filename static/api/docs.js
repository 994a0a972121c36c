"use strict";

SwaggerUIBundle({
  domNode: document.getElementById("reference"),
  url: document.getElementById("reference").dataset.schema,
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
