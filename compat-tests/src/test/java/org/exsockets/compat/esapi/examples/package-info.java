/** The programs of docs/es-api.md. */
package org.exsockets.compat.esapi.examples;
