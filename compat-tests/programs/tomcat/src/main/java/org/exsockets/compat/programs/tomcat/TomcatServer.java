package org.exsockets.compat.programs.tomcat;

import java.io.File;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.websocket.server.WsSci;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;

/** Serves the web application with HTTP/1.1, HTTP/2 and WebSockets. Argument: the class of the connectors' protocol. */
public final class TomcatServer {
    private TomcatServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(new File(".").getAbsolutePath());
            Context context = tomcat.addContext("", new File(".").getAbsolutePath());
            Tomcat.addServlet(context, "application", new ApplicationServlet()).setAsyncSupported(true);
            context.addServletMappingDecoded("/", "application");
            context.addServletContainerInitializer(new WsSci(), Set.of(Echo.class));
            Connector plain = connector(arguments[0]);
            Connector tls = connector(arguments[0]);
            encrypt(tls);
            tomcat.getService().addConnector(plain);
            tomcat.getService().addConnector(tls);
            tomcat.start();
            return new Driver.Running(
                    () -> {
                        tomcat.stop();
                        tomcat.destroy();
                    },
                    "h1=http://" + address(plain),
                    "h2=http://" + address(plain),
                    "ws=ws://" + address(plain) + "/echo",
                    "h1=https://" + address(tls),
                    "h2=https://" + address(tls));
        });
    }

    private static Connector connector(String protocol) {
        Connector connector = new Connector(protocol);
        connector.setPort(0);
        connector.setProperty("address", Ports.HOST);
        connector.addUpgradeProtocol(new Http2Protocol());
        return connector;
    }

    private static void encrypt(Connector connector) {
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
        certificate.setCertificateKeystoreFile(Keys.FILE);
        certificate.setCertificateKeystorePassword(Keys.PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    private static String address(Connector connector) {
        return Ports.HOST + ":" + connector.getLocalPort();
    }
}
